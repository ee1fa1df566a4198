// Linked with the whole of one library: fails to link where that library needs what stands above it.
int main() {
  return 0;
}

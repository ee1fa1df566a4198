#include "asset/zip_writer.h"

#include "asset/stages.h"
#include "asset/support.h"

namespace waybill::asset {
namespace {

using ZipTest = AssetTest;

TEST_F(ZipTest, OpensWithTheToolsOfOthers) {
  ZipWriter archive;
  ASSERT_TRUE(archive.add("empty", ""));
  ASSERT_TRUE(archive.add("short.txt", "hello"));
  ASSERT_TRUE(archive.add("long/deep.txt", std::string(100'000, 'x')));
  ASSERT_TRUE(archive.add("grüße.txt", "ü"));
  const std::string bytes = std::move(archive).finish();
  EXPECT_LT(bytes.size(), 2000U);
  const std::string file = write("a.zip", bytes);
  EXPECT_TRUE(succeeds("unzip -tqq " + file));
  write("check.py",
        "import sys, zipfile\n"
        "archive = zipfile.ZipFile(sys.argv[1])\n"
        "assert archive.testzip() is None\n"
        "names = ['empty', 'short.txt', 'long/deep.txt', 'gr\\u00fc\\u00dfe.txt']\n"
        "assert archive.namelist() == names, archive.namelist()\n"
        "assert archive.read('empty') == b''\n"
        "assert archive.read('short.txt') == b'hello'\n"
        "assert archive.read('long/deep.txt') == b'x' * 100000\n"
        "assert archive.getinfo('short.txt').date_time == (1980, 1, 1, 0, 0, 0)\n");
  EXPECT_TRUE(succeeds("python3 " + path("check.py") + " " + file));
}

TEST_F(ZipTest, RefusesNamesThatDoHarm) {
  ZipWriter archive;
  for (const std::string& name :
       {std::string(), std::string("/etc/passwd"), std::string("../up"), std::string("a/../../up"),
        std::string("a//b"), std::string("a/"), std::string("a\\b"), std::string("c:d"), std::string("a\nb"),
        std::string("a\0b", 3), std::string("\xff"), std::string("."), std::string(256, 'x')}) {
    EXPECT_FALSE(archive.add(name, "x")) << name;
  }
  EXPECT_TRUE(archive.add("a", "x"));
  const auto again = archive.add("a", "y");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "two files are to be called a in the archive; rename one");
}

TEST_F(ZipTest, ExportsHaveAManifest) {
  const Task last = run_until(Stage::export_files, "a \"green\" creature\n");
  ASSERT_EQ(last.inputs.size(), all_stages.size());
  write("check.py",
        "import hashlib, json, sys, zipfile\n"
        "archive = zipfile.ZipFile(sys.argv[1])\n"
        "manifest = json.loads(archive.read('manifest.json'))\n"
        "assert manifest['prompt'] == 'a \"green\" creature\\n', manifest\n"
        "assert manifest['seed'] == 7 and manifest['model_version'] == 'waybill-procedural-1'\n"
        "files = manifest['files']\n"
        "assert [file['stage'] for file in files] == ['text-to-image', 'refine', '3d', 'retopo', 'rig', "
        "'anim']\n"
        "assert sorted(archive.namelist()) == sorted([file['name'] for file in files] + ['manifest.json'])\n"
        "for file in files:\n"
        "    content = archive.read(file['name'])\n"
        "    assert len(content) == file['bytes']\n"
        "    assert hashlib.sha256(content).hexdigest() == file['sha256']\n"
        "assert files[3]['metrics']['triangles_after'] < files[3]['metrics']['triangles_before']\n"
        "assert files[5]['media_type'] == 'model/gltf-binary'\n");
  EXPECT_TRUE(succeeds("python3 " + path("check.py") + " " + last.inputs.back().path));
}

TEST_F(ZipTest, FilesOfOneNameAreRefused) {
  Task wrong = task("export");
  wrong.inputs = {{"", write("a/x.txt", "1"), "text/plain", "", {}},
                  {"", write("b/x.txt", "2"), "text/plain", "", {}}};
  EXPECT_FALSE(provider_.run(wrong));
  wrong.inputs[0].stage = "refine";
  EXPECT_TRUE(provider_.run(wrong));
  wrong.inputs = {{"", write("manifest.json", "1"), "text/plain", "", {}}};
  EXPECT_FALSE(provider_.run(wrong));
}

}  // namespace
}  // namespace waybill::asset

// Message bodies of 1,024 bytes that follow from their id, so that any can be checked.
export const message_bytes = 1024;
const page = 'the photo shows a quiet harbour at dawn with boats and gulls over pale water '.repeat(20);

const make = (id) => `${id} ${page}`.slice(0, message_bytes);
const idOf = (text) => text.slice(0, text.indexOf(' '));

export const texts = { make, idOf, isWhole: (text) => text === make(idOf(text)) };

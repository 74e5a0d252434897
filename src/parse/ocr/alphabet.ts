import { StrataError } from '../../model/errors.js';

/** Of ONNX's ModelProto and StringStringEntryProto, in the numbers of their fields. */
const METADATA = 14;
const [KEY, VALUE] = [1, 2];
const CHARACTERS = 'character';

/**
 * The characters that a PP-OCR recogniser knows: the file itself carries them, one per line, as metadata. The runtime does
 * not show metadata, so the file's outermost fields are read here (protobuf: a number and a length before each).
 */
export function alphabetOf(onnx: Uint8Array): string[] {
  for (const { field, body } of fieldsOf(onnx)) {
    if (field !== METADATA) continue;
    const entry = [...fieldsOf(body)];
    const text = (wanted: number): string =>
      Buffer.from(entry.find((one) => one.field === wanted)?.body ?? []).toString('utf8');
    if (text(KEY) !== CHARACTERS) continue;
    const characters = text(VALUE)
      .split('\n')
      .map((line) => line.replace(/\r$/, ''));
    if (characters.at(-1) === '') characters.pop();
    // The first class means "no character here", and the last, which the list leaves out, is the space.
    return ['', ...characters, ' '];
  }
  throw new StrataError(
    'MODEL_INVALID',
    'The model that reads lines does not say which characters it knows.',
  );
}

const [VARINT, EIGHT_BYTES, WITH_LENGTH, FOUR_BYTES] = [0, 1, 2, 5];

function* fieldsOf(bytes: Uint8Array): Generator<{ field: number; body: Uint8Array }> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < bytes.length; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    const type = tag & 7;
    const length = type === WITH_LENGTH ? varint() : type === EIGHT_BYTES ? 8 : type === FOUR_BYTES ? 4 : 0;
    if (type === VARINT) varint();
    else if (type !== WITH_LENGTH && type !== EIGHT_BYTES && type !== FOUR_BYTES) return;
    yield { field: Math.floor(tag / 8), body: bytes.subarray(at, at + length) };
    at += length;
  }
}

/** One file that holds others, as they are: the format that every system opens (PKWARE's APPNOTE, 4.3). */

type Entry = { name: string; bytes: Uint8Array };

/** Names of UTF-8; bits of the general purpose flag. */
const UTF8 = 0x0800;
/** 1 January 1980: when it was made says the export itself. */
const NO_DATE = 0x0021;

/** Up to 65,535 files and 4 GB in all. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, bytes } of entries) {
    const named = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(NO_DATE, 8);
    common.writeUInt32LE(Bun.hash.crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(named.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    list.push(Buffer.from("PK\x01\x02\x14\0", "latin1"), common, place, named);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), common, named, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    at += 4 + common.length + named.length + bytes.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...parts, directory, Buffer.from("PK\x05\x06", "latin1"), end]);
}

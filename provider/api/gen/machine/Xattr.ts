// Original file: provider/api/proto/machine/machine.proto


export interface Xattr {
  'name'?: (string);
  'data'?: (Buffer | Uint8Array | string);
}

export interface Xattr__Output {
  'name': (string);
  'data': (Buffer);
}

// Original file: provider/api/proto/common/common.proto


export interface PEMEncodedKey {
  'key'?: (Buffer | Uint8Array | string);
}

export interface PEMEncodedKey__Output {
  'key': (Buffer);
}

// Original file: provider/api/proto/common/common.proto


export interface NetIPPrefix {
  'ip'?: (Buffer | Uint8Array | string);
  'prefixLength'?: (number);
}

export interface NetIPPrefix__Output {
  'ip': (Buffer);
  'prefixLength': (number);
}

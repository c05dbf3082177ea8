// Original file: provider/api/proto/machine/machine.proto


export interface MetaDeleteRequest {
  'key'?: (number);
}

export interface MetaDeleteRequest__Output {
  'key': (number);
}

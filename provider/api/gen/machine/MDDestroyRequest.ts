// Original file: provider/api/proto/machine/md.proto


export interface MDDestroyRequest {
  'device'?: (string);
}

export interface MDDestroyRequest__Output {
  'device': (string);
}

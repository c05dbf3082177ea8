// Original file: provider/api/proto/machine/machine.proto


export interface CopyRequest {
  'rootPath'?: (string);
}

export interface CopyRequest__Output {
  'rootPath': (string);
}

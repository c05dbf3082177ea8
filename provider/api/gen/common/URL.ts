// Original file: provider/api/proto/common/common.proto


export interface URL {
  'fullPath'?: (string);
}

export interface URL__Output {
  'fullPath': (string);
}

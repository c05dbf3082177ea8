// Original file: provider/api/proto/machine/machine.proto


export interface EtcdMemberListRequest {
  'queryLocal'?: (boolean);
}

export interface EtcdMemberListRequest__Output {
  'queryLocal': (boolean);
}

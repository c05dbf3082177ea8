// Original file: provider/api/proto/machine/machine.proto


export interface EtcdRemoveMemberRequest {
  'member'?: (string);
}

export interface EtcdRemoveMemberRequest__Output {
  'member': (string);
}

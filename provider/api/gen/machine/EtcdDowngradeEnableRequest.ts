// Original file: provider/api/proto/machine/machine.proto


export interface EtcdDowngradeEnableRequest {
  'version'?: (string);
}

export interface EtcdDowngradeEnableRequest__Output {
  'version': (string);
}

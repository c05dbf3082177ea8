// Original file: provider/api/proto/machine/machine.proto


export interface EtcdDowngradeValidateRequest {
  'version'?: (string);
}

export interface EtcdDowngradeValidateRequest__Output {
  'version': (string);
}

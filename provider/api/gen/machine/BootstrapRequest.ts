// Original file: provider/api/proto/machine/machine.proto


export interface BootstrapRequest {
  'recoverEtcd'?: (boolean);
  'recoverSkipHashCheck'?: (boolean);
}

export interface BootstrapRequest__Output {
  'recoverEtcd': (boolean);
  'recoverSkipHashCheck': (boolean);
}

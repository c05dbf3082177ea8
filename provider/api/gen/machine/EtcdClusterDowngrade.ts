// Original file: provider/api/proto/machine/machine.proto


export interface EtcdClusterDowngrade {
  'clusterVersion'?: (string);
}

export interface EtcdClusterDowngrade__Output {
  'clusterVersion': (string);
}

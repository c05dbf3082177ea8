// Original file: provider/api/proto/cluster/cluster.proto


export interface ClusterInfo {
  'controlPlaneNodes'?: (string)[];
  'workerNodes'?: (string)[];
  'forceEndpoint'?: (string);
}

export interface ClusterInfo__Output {
  'controlPlaneNodes': (string)[];
  'workerNodes': (string)[];
  'forceEndpoint': (string);
}

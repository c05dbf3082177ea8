// Original file: provider/api/proto/machine/machine.proto


export interface ResetPartitionSpec {
  'label'?: (string);
  'wipe'?: (boolean);
}

export interface ResetPartitionSpec__Output {
  'label': (string);
  'wipe': (boolean);
}

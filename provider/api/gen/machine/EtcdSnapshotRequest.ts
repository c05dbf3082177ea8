// Original file: provider/api/proto/machine/machine.proto


export interface EtcdSnapshotRequest {
}

export interface EtcdSnapshotRequest__Output {
}

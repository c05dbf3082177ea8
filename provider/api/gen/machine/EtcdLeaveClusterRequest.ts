// Original file: provider/api/proto/machine/machine.proto


export interface EtcdLeaveClusterRequest {
}

export interface EtcdLeaveClusterRequest__Output {
}

// Original file: provider/api/proto/machine/machine.proto


export interface EtcdForfeitLeadershipRequest {
}

export interface EtcdForfeitLeadershipRequest__Output {
}

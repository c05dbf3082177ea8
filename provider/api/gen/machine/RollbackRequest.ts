// Original file: provider/api/proto/machine/machine.proto


export interface RollbackRequest {
}

export interface RollbackRequest__Output {
}

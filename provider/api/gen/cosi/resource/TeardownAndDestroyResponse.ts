// Original file: provider/api/proto/v1alpha1/state.proto


export interface TeardownAndDestroyResponse {
}

export interface TeardownAndDestroyResponse__Output {
}

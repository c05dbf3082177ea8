// Original file: provider/api/proto/v1alpha1/state.proto


export interface TeardownResponse {
  'destroyReady'?: (boolean);
}

export interface TeardownResponse__Output {
  'destroyReady': (boolean);
}

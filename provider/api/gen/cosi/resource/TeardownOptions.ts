// Original file: provider/api/proto/v1alpha1/state.proto


export interface TeardownOptions {
  'owner'?: (string);
}

export interface TeardownOptions__Output {
  'owner': (string);
}

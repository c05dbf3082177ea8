// Original file: provider/api/proto/v1alpha1/state.proto


export interface TeardownAndDestroyOptions {
  'owner'?: (string);
}

export interface TeardownAndDestroyOptions__Output {
  'owner': (string);
}

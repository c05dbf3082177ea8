// Original file: provider/api/proto/v1alpha1/state.proto


export interface UpdateOptions {
  'owner'?: (string);
  'expectedPhase'?: (string);
  '_expectedPhase'?: "expectedPhase";
}

export interface UpdateOptions__Output {
  'owner': (string);
  'expectedPhase'?: (string);
  '_expectedPhase'?: "expectedPhase";
}

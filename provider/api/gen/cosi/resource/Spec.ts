// Original file: provider/api/proto/v1alpha1/resource.proto


export interface Spec {
  'protoSpec'?: (Buffer | Uint8Array | string);
  'yamlSpec'?: (string);
}

export interface Spec__Output {
  'protoSpec': (Buffer);
  'yamlSpec': (string);
}

// Original file: provider/api/proto/machine/image.proto


export interface ImageServiceVerifyResponse {
  'verified'?: (boolean);
  'message'?: (string);
  'digestedImageRef'?: (string);
}

export interface ImageServiceVerifyResponse__Output {
  'verified': (boolean);
  'message': (string);
  'digestedImageRef': (string);
}

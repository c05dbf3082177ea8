// Original file: provider/api/proto/machine/image.proto

import type { ImageServiceCredentials as _machine_ImageServiceCredentials, ImageServiceCredentials__Output as _machine_ImageServiceCredentials__Output } from '../machine/ImageServiceCredentials';

export interface ImageServiceVerifyRequest {
  'imageRef'?: (string);
  'credentials'?: (_machine_ImageServiceCredentials | null);
}

export interface ImageServiceVerifyRequest__Output {
  'imageRef': (string);
  'credentials': (_machine_ImageServiceCredentials__Output | null);
}

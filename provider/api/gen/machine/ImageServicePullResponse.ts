// Original file: provider/api/proto/machine/image.proto

import type { ImageServicePullProgress as _machine_ImageServicePullProgress, ImageServicePullProgress__Output as _machine_ImageServicePullProgress__Output } from '../machine/ImageServicePullProgress';

export interface ImageServicePullResponse {
  'name'?: (string);
  'pullProgress'?: (_machine_ImageServicePullProgress | null);
  'response'?: "name"|"pullProgress";
}

export interface ImageServicePullResponse__Output {
  'name'?: (string);
  'pullProgress'?: (_machine_ImageServicePullProgress__Output | null);
  'response'?: "name"|"pullProgress";
}

// Original file: provider/api/proto/machine/image.proto

import type { ImageServicePullLayerProgress as _machine_ImageServicePullLayerProgress, ImageServicePullLayerProgress__Output as _machine_ImageServicePullLayerProgress__Output } from '../machine/ImageServicePullLayerProgress';

export interface ImageServicePullProgress {
  'layerId'?: (string);
  'progress'?: (_machine_ImageServicePullLayerProgress | null);
}

export interface ImageServicePullProgress__Output {
  'layerId': (string);
  'progress': (_machine_ImageServicePullLayerProgress__Output | null);
}

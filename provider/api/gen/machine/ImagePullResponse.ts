// Original file: provider/api/proto/machine/machine.proto

import type { ImagePull as _machine_ImagePull, ImagePull__Output as _machine_ImagePull__Output } from '../machine/ImagePull';

export interface ImagePullResponse {
  'messages'?: (_machine_ImagePull)[];
}

export interface ImagePullResponse__Output {
  'messages': (_machine_ImagePull__Output)[];
}

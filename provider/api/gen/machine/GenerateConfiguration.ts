// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';

export interface GenerateConfiguration {
  'metadata'?: (_common_Metadata | null);
  'data'?: (Buffer | Uint8Array | string)[];
  'talosconfig'?: (Buffer | Uint8Array | string);
}

export interface GenerateConfiguration__Output {
  'metadata': (_common_Metadata__Output | null);
  'data': (Buffer)[];
  'talosconfig': (Buffer);
}

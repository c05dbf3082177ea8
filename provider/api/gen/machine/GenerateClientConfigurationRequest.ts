// Original file: provider/api/proto/machine/machine.proto

import type { Duration as _google_protobuf_Duration, Duration__Output as _google_protobuf_Duration__Output } from '../google/protobuf/Duration';

export interface GenerateClientConfigurationRequest {
  'roles'?: (string)[];
  'crtTtl'?: (_google_protobuf_Duration | null);
}

export interface GenerateClientConfigurationRequest__Output {
  'roles': (string)[];
  'crtTtl': (_google_protobuf_Duration__Output | null);
}

// Original file: provider/api/proto/machine/machine.proto

import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../google/protobuf/Timestamp';

export interface ServiceHealth {
  'unknown'?: (boolean);
  'healthy'?: (boolean);
  'lastMessage'?: (string);
  'lastChange'?: (_google_protobuf_Timestamp | null);
}

export interface ServiceHealth__Output {
  'unknown': (boolean);
  'healthy': (boolean);
  'lastMessage': (string);
  'lastChange': (_google_protobuf_Timestamp__Output | null);
}

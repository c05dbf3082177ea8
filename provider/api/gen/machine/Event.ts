// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { Any as _google_protobuf_Any, Any__Output as _google_protobuf_Any__Output } from '../google/protobuf/Any';

export interface Event {
  'metadata'?: (_common_Metadata | null);
  'data'?: (_google_protobuf_Any | null);
  'id'?: (string);
  'actorId'?: (string);
}

export interface Event__Output {
  'metadata': (_common_Metadata__Output | null);
  'data': (_google_protobuf_Any__Output | null);
  'id': (string);
  'actorId': (string);
}

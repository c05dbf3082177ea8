// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { Timestamp as _google_protobuf_Timestamp, Timestamp__Output as _google_protobuf_Timestamp__Output } from '../google/protobuf/Timestamp';
import type { Long } from '@grpc/proto-loader';

export interface ImageListResponse {
  'metadata'?: (_common_Metadata | null);
  'name'?: (string);
  'digest'?: (string);
  'size'?: (number | string | Long);
  'createdAt'?: (_google_protobuf_Timestamp | null);
}

export interface ImageListResponse__Output {
  'metadata': (_common_Metadata__Output | null);
  'name': (string);
  'digest': (string);
  'size': (string);
  'createdAt': (_google_protobuf_Timestamp__Output | null);
}

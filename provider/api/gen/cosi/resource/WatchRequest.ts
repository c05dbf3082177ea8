// Original file: provider/api/proto/v1alpha1/state.proto

import type { WatchOptions as _cosi_resource_WatchOptions, WatchOptions__Output as _cosi_resource_WatchOptions__Output } from '../../cosi/resource/WatchOptions';

export interface WatchRequest {
  'namespace'?: (string);
  'type'?: (string);
  'id'?: (string);
  'options'?: (_cosi_resource_WatchOptions | null);
  'apiVersion'?: (number);
  '_id'?: "id";
}

export interface WatchRequest__Output {
  'namespace': (string);
  'type': (string);
  'id'?: (string);
  'options': (_cosi_resource_WatchOptions__Output | null);
  'apiVersion': (number);
  '_id'?: "id";
}

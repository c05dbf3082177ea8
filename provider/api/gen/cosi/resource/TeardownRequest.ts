// Original file: provider/api/proto/v1alpha1/state.proto

import type { TeardownOptions as _cosi_resource_TeardownOptions, TeardownOptions__Output as _cosi_resource_TeardownOptions__Output } from '../../cosi/resource/TeardownOptions';

export interface TeardownRequest {
  'namespace'?: (string);
  'type'?: (string);
  'id'?: (string);
  'options'?: (_cosi_resource_TeardownOptions | null);
}

export interface TeardownRequest__Output {
  'namespace': (string);
  'type': (string);
  'id': (string);
  'options': (_cosi_resource_TeardownOptions__Output | null);
}

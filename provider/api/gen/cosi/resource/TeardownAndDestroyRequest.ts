// Original file: provider/api/proto/v1alpha1/state.proto

import type { TeardownAndDestroyOptions as _cosi_resource_TeardownAndDestroyOptions, TeardownAndDestroyOptions__Output as _cosi_resource_TeardownAndDestroyOptions__Output } from '../../cosi/resource/TeardownAndDestroyOptions';

export interface TeardownAndDestroyRequest {
  'namespace'?: (string);
  'type'?: (string);
  'id'?: (string);
  'options'?: (_cosi_resource_TeardownAndDestroyOptions | null);
}

export interface TeardownAndDestroyRequest__Output {
  'namespace': (string);
  'type': (string);
  'id': (string);
  'options': (_cosi_resource_TeardownAndDestroyOptions__Output | null);
}

// Original file: provider/api/proto/v1alpha1/state.proto

import type { Resource as _cosi_resource_Resource, Resource__Output as _cosi_resource_Resource__Output } from '../../cosi/resource/Resource';
import type { UpdateOptions as _cosi_resource_UpdateOptions, UpdateOptions__Output as _cosi_resource_UpdateOptions__Output } from '../../cosi/resource/UpdateOptions';

export interface UpdateRequest {
  'newResource'?: (_cosi_resource_Resource | null);
  'options'?: (_cosi_resource_UpdateOptions | null);
}

export interface UpdateRequest__Output {
  'newResource': (_cosi_resource_Resource__Output | null);
  'options': (_cosi_resource_UpdateOptions__Output | null);
}

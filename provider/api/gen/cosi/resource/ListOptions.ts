// Original file: provider/api/proto/v1alpha1/state.proto

import type { LabelQuery as _cosi_resource_LabelQuery, LabelQuery__Output as _cosi_resource_LabelQuery__Output } from '../../cosi/resource/LabelQuery';
import type { IDQuery as _cosi_resource_IDQuery, IDQuery__Output as _cosi_resource_IDQuery__Output } from '../../cosi/resource/IDQuery';

export interface ListOptions {
  'labelQuery'?: (_cosi_resource_LabelQuery)[];
  'idQuery'?: (_cosi_resource_IDQuery | null);
}

export interface ListOptions__Output {
  'labelQuery': (_cosi_resource_LabelQuery__Output)[];
  'idQuery': (_cosi_resource_IDQuery__Output | null);
}

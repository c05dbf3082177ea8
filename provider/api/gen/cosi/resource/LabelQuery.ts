// Original file: provider/api/proto/v1alpha1/resource.proto

import type { LabelTerm as _cosi_resource_LabelTerm, LabelTerm__Output as _cosi_resource_LabelTerm__Output } from '../../cosi/resource/LabelTerm';

export interface LabelQuery {
  'terms'?: (_cosi_resource_LabelTerm)[];
}

export interface LabelQuery__Output {
  'terms': (_cosi_resource_LabelTerm__Output)[];
}

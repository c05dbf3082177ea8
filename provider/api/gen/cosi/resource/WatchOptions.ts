// Original file: provider/api/proto/v1alpha1/state.proto

import type { LabelQuery as _cosi_resource_LabelQuery, LabelQuery__Output as _cosi_resource_LabelQuery__Output } from '../../cosi/resource/LabelQuery';
import type { IDQuery as _cosi_resource_IDQuery, IDQuery__Output as _cosi_resource_IDQuery__Output } from '../../cosi/resource/IDQuery';

export interface WatchOptions {
  'bootstrapContents'?: (boolean);
  'tailEvents'?: (number);
  'labelQuery'?: (_cosi_resource_LabelQuery)[];
  'idQuery'?: (_cosi_resource_IDQuery | null);
  'aggregated'?: (boolean);
  'startFromBookmark'?: (Buffer | Uint8Array | string);
  'bootstrapBookmark'?: (boolean);
  '_startFromBookmark'?: "startFromBookmark";
}

export interface WatchOptions__Output {
  'bootstrapContents': (boolean);
  'tailEvents': (number);
  'labelQuery': (_cosi_resource_LabelQuery__Output)[];
  'idQuery': (_cosi_resource_IDQuery__Output | null);
  'aggregated': (boolean);
  'startFromBookmark'?: (Buffer);
  'bootstrapBookmark': (boolean);
  '_startFromBookmark'?: "startFromBookmark";
}

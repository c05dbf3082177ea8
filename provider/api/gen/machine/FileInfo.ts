// Original file: provider/api/proto/machine/machine.proto

import type { Metadata as _common_Metadata, Metadata__Output as _common_Metadata__Output } from '../common/Metadata';
import type { Xattr as _machine_Xattr, Xattr__Output as _machine_Xattr__Output } from '../machine/Xattr';
import type { Long } from '@grpc/proto-loader';

export interface FileInfo {
  'metadata'?: (_common_Metadata | null);
  'name'?: (string);
  'size'?: (number | string | Long);
  'mode'?: (number);
  'modified'?: (number | string | Long);
  'isDir'?: (boolean);
  'error'?: (string);
  'link'?: (string);
  'relativeName'?: (string);
  'uid'?: (number);
  'gid'?: (number);
  'xattrs'?: (_machine_Xattr)[];
}

export interface FileInfo__Output {
  'metadata': (_common_Metadata__Output | null);
  'name': (string);
  'size': (string);
  'mode': (number);
  'modified': (string);
  'isDir': (boolean);
  'error': (string);
  'link': (string);
  'relativeName': (string);
  'uid': (number);
  'gid': (number);
  'xattrs': (_machine_Xattr__Output)[];
}

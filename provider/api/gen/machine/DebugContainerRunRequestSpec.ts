// Original file: provider/api/proto/machine/debug.proto

import type { ContainerdInstance as _common_ContainerdInstance, ContainerdInstance__Output as _common_ContainerdInstance__Output } from '../common/ContainerdInstance';

// Original file: provider/api/proto/machine/debug.proto

export const _machine_DebugContainerRunRequestSpec_Profile = {
  PROFILE_UNSPECIFIED: 'PROFILE_UNSPECIFIED',
  PROFILE_PRIVILEGED: 'PROFILE_PRIVILEGED',
  PROFILE_HOST_NS: 'PROFILE_HOST_NS',
} as const;

export type _machine_DebugContainerRunRequestSpec_Profile =
  | 'PROFILE_UNSPECIFIED'
  | 0
  | 'PROFILE_PRIVILEGED'
  | 1
  | 'PROFILE_HOST_NS'
  | 2

export type _machine_DebugContainerRunRequestSpec_Profile__Output = typeof _machine_DebugContainerRunRequestSpec_Profile[keyof typeof _machine_DebugContainerRunRequestSpec_Profile]

export interface DebugContainerRunRequestSpec {
  'containerd'?: (_common_ContainerdInstance | null);
  'imageName'?: (string);
  'args'?: (string)[];
  'env'?: ({[key: string]: string});
  'profile'?: (_machine_DebugContainerRunRequestSpec_Profile);
  'tty'?: (boolean);
}

export interface DebugContainerRunRequestSpec__Output {
  'containerd': (_common_ContainerdInstance__Output | null);
  'imageName': (string);
  'args': (string)[];
  'env': ({[key: string]: string});
  'profile': (_machine_DebugContainerRunRequestSpec_Profile__Output);
  'tty': (boolean);
}

// Original file: provider/api/proto/machine/lifecycle.proto

import type { ContainerdInstance as _common_ContainerdInstance, ContainerdInstance__Output as _common_ContainerdInstance__Output } from '../common/ContainerdInstance';
import type { InstallArtifactsSource as _machine_InstallArtifactsSource, InstallArtifactsSource__Output as _machine_InstallArtifactsSource__Output } from '../machine/InstallArtifactsSource';

export interface LifecycleServiceUpgradeRequest {
  'containerd'?: (_common_ContainerdInstance | null);
  'source'?: (_machine_InstallArtifactsSource | null);
}

export interface LifecycleServiceUpgradeRequest__Output {
  'containerd': (_common_ContainerdInstance__Output | null);
  'source': (_machine_InstallArtifactsSource__Output | null);
}

// Original file: provider/api/proto/machine/lifecycle.proto

import type { ContainerdInstance as _common_ContainerdInstance, ContainerdInstance__Output as _common_ContainerdInstance__Output } from '../common/ContainerdInstance';
import type { InstallArtifactsSource as _machine_InstallArtifactsSource, InstallArtifactsSource__Output as _machine_InstallArtifactsSource__Output } from '../machine/InstallArtifactsSource';
import type { InstallDestination as _machine_InstallDestination, InstallDestination__Output as _machine_InstallDestination__Output } from '../machine/InstallDestination';

export interface LifecycleServiceInstallRequest {
  'containerd'?: (_common_ContainerdInstance | null);
  'source'?: (_machine_InstallArtifactsSource | null);
  'destination'?: (_machine_InstallDestination | null);
}

export interface LifecycleServiceInstallRequest__Output {
  'containerd': (_common_ContainerdInstance__Output | null);
  'source': (_machine_InstallArtifactsSource__Output | null);
  'destination': (_machine_InstallDestination__Output | null);
}

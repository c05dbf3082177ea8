// Original file: provider/api/proto/machine/lifecycle.proto

import type { LifecycleServiceInstallProgress as _machine_LifecycleServiceInstallProgress, LifecycleServiceInstallProgress__Output as _machine_LifecycleServiceInstallProgress__Output } from '../machine/LifecycleServiceInstallProgress';

export interface LifecycleServiceInstallResponse {
  'progress'?: (_machine_LifecycleServiceInstallProgress | null);
}

export interface LifecycleServiceInstallResponse__Output {
  'progress': (_machine_LifecycleServiceInstallProgress__Output | null);
}

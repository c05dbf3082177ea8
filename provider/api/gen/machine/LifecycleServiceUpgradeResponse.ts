// Original file: provider/api/proto/machine/lifecycle.proto

import type { LifecycleServiceInstallProgress as _machine_LifecycleServiceInstallProgress, LifecycleServiceInstallProgress__Output as _machine_LifecycleServiceInstallProgress__Output } from '../machine/LifecycleServiceInstallProgress';

export interface LifecycleServiceUpgradeResponse {
  'progress'?: (_machine_LifecycleServiceInstallProgress | null);
}

export interface LifecycleServiceUpgradeResponse__Output {
  'progress': (_machine_LifecycleServiceInstallProgress__Output | null);
}

// Original file: provider/api/proto/machine/lifecycle.proto


export interface LifecycleServiceInstallProgress {
  'message'?: (string);
  'exitCode'?: (number);
  'response'?: "message"|"exitCode";
}

export interface LifecycleServiceInstallProgress__Output {
  'message'?: (string);
  'exitCode'?: (number);
  'response'?: "message"|"exitCode";
}

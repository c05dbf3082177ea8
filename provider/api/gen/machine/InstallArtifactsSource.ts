// Original file: provider/api/proto/machine/lifecycle.proto


export interface InstallArtifactsSource {
  'imageName'?: (string);
}

export interface InstallArtifactsSource__Output {
  'imageName': (string);
}

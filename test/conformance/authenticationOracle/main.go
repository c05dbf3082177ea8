// The authentication oracle answers whom Kubernetes' API server sees in a token: one JSON request a line in,
// one JSON answer a line out, in order. It reads an AuthenticationConfiguration as the API server does, signs
// tokens with the claims that it is given, and has Kubernetes' own authenticators judge them.
package main

import (
	"bufio"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/apis/apiserver/install"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/plugin/pkg/authenticator/token/oidc"
)

type request struct {
	// Config is the text of the file that a flag names.
	Config string `json:"config"`
	// DisallowedIssuers are those of service accounts.
	DisallowedIssuers []string `json:"disallowedIssuers"`
	// Tokens are the claims of tokens.
	Tokens []map[string]any `json:"tokens"`
}

type answer struct {
	// Refused says why the API server doesn't start.
	Refused string `json:"refused,omitempty"`
	// Users has an entry for each token.
	Users []user `json:"users,omitempty"`
}

type user struct {
	Name   string              `json:"name,omitempty"`
	Groups []string            `json:"groups,omitempty"`
	Extra  map[string][]string `json:"extra,omitempty"`
	// Refused says why the token isn't accepted.
	Refused string `json:"refused,omitempty"`
}

// size of the parts of a signature with P-384, in bytes.
const size = 48

// signer has the only key, of all issuers.
type signer struct {
	key *ecdsa.PrivateKey
}

func (s signer) sign(claims map[string]any) (string, error) {
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}

	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"ES384","kid":"EC384_0","typ":"JWT"}`)) + "." + encode(payload)
	digest := sha512.Sum384([]byte(text))

	one, two, err := ecdsa.Sign(rand.Reader, s.key, digest[:])
	if err != nil {
		return "", err
	}

	signature := make([]byte, 2*size)
	one.FillBytes(signature[:size])
	two.FillBytes(signature[size:])

	return text + "." + encode(signature), nil
}

// VerifySignature implements the keys of an issuer.
func (s signer) VerifySignature(_ context.Context, token string) ([]byte, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, errors.New("not a token")
	}

	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 2*size {
		return nil, errors.New("not a signature")
	}

	digest := crypto.SHA384.New()
	digest.Write([]byte(parts[0] + "." + parts[1]))

	one, two := new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:])
	if !ecdsa.Verify(&s.key.PublicKey, digest.Sum(nil), one, two) {
		return nil, errors.New("signed with another key")
	}

	return base64.RawURLEncoding.DecodeString(parts[1])
}

func decode(text string) (*apiserver.AuthenticationConfiguration, error) {
	scheme := runtime.NewScheme()
	install.Install(scheme)

	codecs := serializer.NewCodecFactory(scheme, serializer.EnableStrict)

	object, err := runtime.Decode(codecs.UniversalDecoder(), []byte(text))
	if err != nil {
		return nil, err
	}

	config, ok := object.(*apiserver.AuthenticationConfiguration)
	if !ok {
		return nil, fmt.Errorf("expected AuthenticationConfiguration, got %T", object)
	}

	return config, nil
}

func authenticators(config *apiserver.AuthenticationConfiguration, keys signer, disallowed []string) ([]authenticator.Token, error) {
	var all []authenticator.Token

	for _, each := range config.JWT {
		made, err := oidc.New(context.Background(), oidc.Options{
			JWTAuthenticator:     each,
			KeySet:               keys,
			SupportedSigningAlgs: oidc.AllValidSigningAlgorithms(),
			DisallowedIssuers:    disallowed,
		})
		if err != nil {
			return nil, err
		}

		all = append(all, made)
	}

	return all, nil
}

// judge asks authenticators in turn, as the API server does.
func judge(all []authenticator.Token, token string) user {
	var reasons []string

	for _, each := range all {
		response, ok, err := each.AuthenticateToken(context.Background(), token)
		if err != nil {
			reasons = append(reasons, err.Error())
		}

		if ok {
			return user{
				Name:   response.User.GetName(),
				Groups: response.User.GetGroups(),
				Extra:  response.User.GetExtra(),
			}
		}
	}

	if len(reasons) == 0 {
		reasons = []string{"no issuer of this token"}
	}

	return user{Refused: strings.Join(reasons, "; ")}
}

func respond(line []byte) (out answer) {
	var asked request

	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Refused: "not a request: " + err.Error()}
	}

	config, err := decode(asked.Config)
	if err != nil {
		return answer{Refused: err.Error()}
	}

	if err := validate(config, asked.DisallowedIssuers); err != nil {
		return answer{Refused: err.Error()}
	}

	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		return answer{Refused: err.Error()}
	}

	keys := signer{key}

	all, err := authenticators(config, keys, asked.DisallowedIssuers)
	if err != nil {
		return answer{Refused: err.Error()}
	}

	out.Users = []user{}

	for _, claims := range asked.Tokens {
		token, err := keys.sign(claims)
		if err != nil {
			return answer{Refused: err.Error()}
		}

		out.Users = append(out.Users, judge(all, token))
	}

	return out
}

func main() {
	const maxRequestBytes = 64 << 20

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 64<<10), maxRequestBytes)

	answers := json.NewEncoder(os.Stdout)

	for lines.Scan() {
		if err := answers.Encode(respond(lines.Bytes())); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

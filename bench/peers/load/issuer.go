package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"time"
)

// serveIssuer is an OpenID issuer for gateways that take nothing else: discovery, one key, and a token for anyone.
func serveIssuer(address, audience string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	issuer := "http://" + address
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, map[string]any{
			"issuer": issuer, "jwks_uri": issuer + "/keys", "authorization_endpoint": issuer + "/authorize",
			"token_endpoint": issuer + "/token", "response_types_supported": []string{"code"},
			"subject_types_supported":               []string{"public"},
			"id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, map[string]any{"keys": []any{map[string]string{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "one",
			"n": encoded(key.N.Bytes()), "e": encoded(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("GET /token", func(w http.ResponseWriter, _ *http.Request) {
		now := time.Now()
		claims, _ := json.Marshal(map[string]any{
			"iss": issuer, "sub": "load", "aud": audience, "iat": now.Unix(), "exp": now.Add(6 * time.Hour).Unix(),
		})
		signed := encoded([]byte(`{"alg":"RS256","typ":"JWT","kid":"one"}`)) + "." + encoded(claims)
		digest := sha256.Sum256([]byte(signed))
		signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Write([]byte(signed + "." + encoded(signature)))
	})
	return (&http.Server{Addr: address, Handler: mux}).ListenAndServe()
}

func encoded(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func sendJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(value)
}

/* How far a point is from solving its program, computed from the program's own callbacks by code
 * that no solver shares, theory.md section 6. All figures are dimensionless fractions. */
#ifndef FREEPLAY_NLP_CERTIFICATE_H
#define FREEPLAY_NLP_CERTIFICATE_H

#include "nlp/status.h"

typedef struct FpNlp FpNlp;
typedef struct FpNlpPoint FpNlpPoint;

typedef struct FpCertificate {
    double primal;          /* violation of constraints and bounds */
    double balance;         /* of the equations measured by their own terms, part of primal */
    double complementarity; /* x_v g_c of every pair */
    double cone;            /* Coulomb's law: force outside the cone, dissipation that is missing */
    double stationarity;    /* of the Lagrangian */
    double dual;            /* wrong signs of multipliers and multipliers of inactive constraints */
    double worst;           /* largest of all */
    int worst_constraint;   /* where primal or complementarity is worst, -1 if not worst */
} FpCertificate;

/* Workspace that grows with the programs and can be used again. */
typedef struct FpCertifier FpCertifier;
FpCertifier* fp_certifier_create(void);
void fp_certifier_destroy(FpCertifier* certifier);
FpStatus fp_certifier_certify(FpCertifier* certifier, const FpNlp* nlp, const FpNlpPoint* point,
                              FpCertificate* certificate);

/* The same for once. Fails only if the callbacks do, or when out of memory. A point that is not
 * finite gets INFINITY.
 */
FpStatus fp_nlp_certify(const FpNlp* nlp, const FpNlpPoint* point, FpCertificate* certificate);

#endif

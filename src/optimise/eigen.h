// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub & Van Loan, "Matrix
// computations", section 8.5), in a fixed order of operations: the same to the last bit on every machine. Its
// time grows with n^3: 0.1 ms at n = 22, 1.2 ms at n = 50.
#ifndef TETRALAB_OPTIMISE_EIGEN_H
#define TETRALAB_OPTIMISE_EIGEN_H

// -> matrix  n x n, symmetric, finite; overwritten
// <- value   n, ascending
// <- vector  n x n, its columns the eigenvectors in the order of the values: of length 1, and with the
//            coordinate of largest size (the first such) positive
void eigen_symmetric(int n, double *matrix, double *value, double *vector);

#endif
